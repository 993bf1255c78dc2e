-- A payout file that nobody has fetched can be given up.

alter table bank_batch add column discarded_time timestamptz, add column discarded_by text references app_user, add column discard_reason text,
  add check ((discarded_time is null) = (discarded_by is null) and (discarded_time is null) = (discard_reason is null)),
  add check (discarded_time is null or sent_time is null);
