-- The turn of a day goes through the open loans in the order of their numbers, past all that are settled.
create index loan_order_open on loan_order (order_no) where order_status = 'funds_disbursed';
