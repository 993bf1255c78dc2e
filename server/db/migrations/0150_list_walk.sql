-- Staff look at the orders of one merchant in one state, newest first: found, counted and walked along one index.
create index loan_order_merchant_status on loan_order (merchant_no, order_status, apply_time, order_no);
