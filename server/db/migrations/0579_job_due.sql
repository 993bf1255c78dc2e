-- The next due jobs of all queues in their order, however many wait.
create index job_due on job (run_at, id) where state = 'ready';
