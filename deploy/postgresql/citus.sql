-- Spread the tables over several machines with Citus: rows of a room together, and copies of small tables everywhere.
--
-- NOT TRIED: Citus was never run with these tables. It is known to refuse a subquery among the values of an INSERT, and
-- the server adds entries to a room's log in this way (app/store/event_log/event_log.py). So the server does not work on
-- Citus yet. docs/database.md has the rest: "Split the tables".
--
-- Run it once on the coordinator, in a migrated database with the extension, with the server stopped.

SELECT create_reference_table('people');
SELECT create_reference_table('bans');
SELECT create_reference_table('cleanup_times');
SELECT create_reference_table('operator_actions');
SELECT create_reference_table('planned_deletions');
SELECT create_reference_table('room_codes');
SELECT create_reference_table('server_keys');
SELECT create_reference_table('server_times');
SELECT create_reference_table('static_files');
SELECT create_reference_table('stats_links');
SELECT create_reference_table('device_links');
SELECT create_reference_table('devices');
SELECT create_reference_table('match_directory');
SELECT create_distributed_table('rooms', 'id', colocate_with => 'none');
SELECT create_distributed_table('chat_messages', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('matches', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('merged_players', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('room_events', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('room_snapshots', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('room_visits', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('hand_initial_states', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('hands', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('match_players', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('point_adjustments', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('counted_hands', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('counted_hand_players', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('highlights', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('point_reasons', 'room_id', colocate_with => 'rooms');
SELECT create_distributed_table('ratings', 'person_id', colocate_with => 'none');
SELECT create_distributed_table('imported_matches', 'person_id', colocate_with => 'ratings');
SELECT create_distributed_table('saved_rules', 'person_id', colocate_with => 'ratings');
SELECT create_distributed_table('imported_hands', 'person_id', colocate_with => 'ratings');
SELECT create_distributed_table('push_subscriptions', 'person_id', colocate_with => 'ratings');
