-- Lists that people fill entry by entry, one for each dimension and merchant (or all of them).
alter table name_list add column by_hand boolean not null default false;
create unique index name_list_by_hand on name_list (dimension, coalesce(merchant_no, '')) where by_hand and deleted_time is null;

-- What an application names, hashed as entries of lists are: an entry made later still finds its orders.
create table order_list_value (
  order_no text not null references loan_order, value_hash text not null,
  primary key (order_no, value_hash)
);
create index order_list_value_hash on order_list_value (value_hash);

-- Until when entries were looked at by a person who let the payout go.
alter table loan_code add column list_released_time timestamptz;
