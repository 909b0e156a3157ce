#!/bin/sh
# backup.sh FOLDER [DAYS]: a backup of today into FOLDER, while the server runs; those older than DAYS (30) go.
# Cron can run it as well as systemd. In a file in /etc/cron.d, on one line:
#   30 4 * * *  pecking-order  cd /var/lib/pecking-order && PECKING_ORDER_ENV_FILE=/etc/pecking-order.env
#   PATH=/opt/pecking-order/bin:/usr/bin:/bin /opt/pecking-order/backup.sh /var/backups/pecking-order
set -eu
umask 077
folder=${1:?"say which folder: backup.sh FOLDER [DAYS]"}
days=${2:-30}
pecking-order backup "$folder/pecking-order-$(date +%Y-%m-%d-%H%M%S).jsonl.gz"
# Only after a backup that went well.
find "$folder" -name 'pecking-order-*.jsonl.gz' -mtime "+$days" -delete
