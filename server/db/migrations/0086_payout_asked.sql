-- When a person last asked the network about an attempt: of two at once one asks.

alter table gateway_attempt add column asked_time timestamptz;
comment on column gateway_attempt.asked_time is 'Set before the question goes out.';
