-- Rewards that were earned while too little was left of the budget: they are given, the oldest first, once there is more.
create table activity_missed (
  activity_no text not null references activity, task_key text not null, order_no text not null references loan_order, heard jsonb not null, missed_time timestamptz not null,
  primary key (activity_no, task_key, order_no)
);
create index activity_missed_time on activity_missed (missed_time, activity_no);
