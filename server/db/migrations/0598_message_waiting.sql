-- What of a task still waits to be handed over, and what waits for the money of a vendor: looked for every few seconds while it is sent.
create index message_task_queued on message (object_no, fail_reason) where object_type = 'sms_task' and message_status = 'queued';
