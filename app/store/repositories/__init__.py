"""Small tables with direct reads and writes: people, chat, saved rules, imported matches, push subscriptions."""
