"""House rules with effects after a play, such as ending the trick. One file each."""
