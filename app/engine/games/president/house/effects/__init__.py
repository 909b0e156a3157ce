"""House rules that do something after a play, such as ending the trick. One file each."""
