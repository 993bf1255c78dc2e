-- What somebody asked for themselves and what the business decided stand beside each other: the one ends without the other.
drop index contact_block_active;
create unique index contact_block_active on contact_block
  (book, phone, block_scope, coalesce(merchant_no, ''), coalesce(block_reason = 'asked_to_stop', false)) where block_status = 'active';
