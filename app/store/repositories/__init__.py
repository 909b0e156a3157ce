"""Small tables that are read and written directly: people, chat, saved rules, imported matches, push subscriptions."""
