-- What became of an order that was paid out: known eight days behind its first due date.
create table risk_outcome (
  order_no text primary key references loan_order, bad boolean not null, ever30 boolean not null, settled boolean not null,
  loss_principal numeric(18,2) not null check (loss_principal >= 0), known_time timestamptz not null
);
comment on column risk_outcome.bad is 'The first bill was more than seven days late.';
