"""Checks on everything that strangers can send: maximum lengths, and processor time at growing sizes."""
