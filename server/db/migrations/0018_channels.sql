-- What networks tell: how often the same callback came, and that they refused to pay for want of our money.

alter table inbound_event add column deliveries int not null default 1 check (deliveries > 0);

-- The largest payout that the network could not pay from this account; nothing is sent from it until its balance covers that.
alter table fund_account add column short_amount numeric(18,2) check (short_amount > 0);
