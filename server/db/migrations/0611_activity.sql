-- Activities that reward customers, whom they invited, and the rewards they earned.
create table activity (
  activity_no text primary key, enabled text not null, activity_name text not null,
  activity_type text not null check (activity_type in ('invite', 'first_loan', 'on_time', 'register', 'festival')),
  merchant_nos text[] not null check (cardinality(merchant_nos) > 0), app_codes text[] not null check (cardinality(app_codes) > 0),
  start_time timestamptz not null, end_time timestamptz not null check (end_time > start_time),
  budget_amount numeric(18,2) not null check (budget_amount > 0), budget_spent numeric(18,2) not null default 0 check (budget_spent >= 0),
  awards_per_customer int not null check (awards_per_customer > 0), tasks jsonb not null, rule_text jsonb not null,
  -- From when to when it was last switched on, and since when a reward found too little left.
  enabled_time timestamptz, stopped_time timestamptz, budget_used_time timestamptz,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  constraint activity_budget check (budget_spent <= budget_amount)
);
create unique index activity_name_once on activity (activity_name) where deleted_time is null;
create index activity_updated on activity (updated_time, activity_no) where deleted_time is null;
create trigger activity_enabled_guard before update on activity for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

create table activity_invite (
  activity_no text not null references activity, phone text not null, customer_no text not null references customer, merchant_no text not null references merchant,
  invited_time timestamptz not null, primary key (activity_no, phone)
);
create index activity_invite_customer on activity_invite (customer_no);
create index activity_invite_phone on activity_invite (phone);

create table activity_award (
  award_no text primary key, award_status text not null, activity_no text not null references activity, task_key text not null, customer_no text not null references customer,
  merchant_no text not null references merchant, subject_no text not null, order_no text not null references loan_order, invitee_no text references customer,
  award_kind text not null check (award_kind in ('coupon', 'wallet')), award_amount numeric(18,2) not null check (award_amount > 0),
  coupon_template_no text references coupon_template check ((award_kind = 'coupon') = (coupon_template_no is not null)),
  coupon_no text unique references coupon, reward_no text unique references wallet_reward,
  award_hold text, cluster_no text, decide_reason text, decided_by text, decided_time timestamptz, undone_time timestamptz, award_time timestamptz not null, version int not null default 0,
  constraint activity_award_once unique (activity_no, task_key, customer_no, subject_no)
);
create index activity_award_time on activity_award (award_time, award_no);
create index activity_award_amount on activity_award (award_amount, award_no);
create index activity_award_customer on activity_award (customer_no);
create index activity_award_order on activity_award (order_no);
create trigger activity_award_status_guard before update on activity_award for each row when (old.award_status is distinct from new.award_status) execute function guard_status('award_status');
create trigger activity_award_fixed before update of activity_no, task_key, customer_no, merchant_no, subject_no, order_no, award_kind, award_amount, coupon_template_no on activity_award
  for each row execute function refuse_change();

-- A reward that was taken back leaves the wallet again.
alter table wallet_entry drop constraint wallet_entry_entry_kind_check;
alter table wallet_entry add check (entry_kind in ('reward', 'withdrawal', 'returned', 'taken_back'));
-- A reward of an activity is a coupon that is given once.
create unique index coupon_once_per_award on coupon (source_no) where coupon_source = 'activity';
-- Who else asked to be paid to an account.
create index loan_order_card on loan_order (bank_card_no) where bank_card_no is not null;
