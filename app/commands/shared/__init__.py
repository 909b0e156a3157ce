"""What commands have in common: the lazy group, errors of users, options given as KEY=VALUE."""
