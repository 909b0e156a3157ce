"""How many machines a number of rooms needs: a simulation that is fed with measured costs."""
