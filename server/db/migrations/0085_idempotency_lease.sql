-- A call that works between two transactions says so, so that the same call does not work beside it.

alter table idempotency add column working_until timestamptz;
comment on column idempotency.working_until is 'By the clock of the machine: a process that works renews it, one that died lets it pass.';
