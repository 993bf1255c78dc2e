-- When a vendor was last asked about a message, and whether it was handed over once more because the vendor never had it.
alter table message add column enquired_time timestamptz, add column repeated boolean not null default false;
