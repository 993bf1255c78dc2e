-- What moves the due dates of a loan is settled when its payout is sent: the customer reads them then, and the bills follow them.
alter table gateway_attempt add column due_rule jsonb;
comment on column gateway_attempt.due_rule is 'Of payouts: the shift of due dates and the closed days ahead, as they were when the money was reserved.';
