-- Orders are found by the beginning of their number.
create index loan_order_beginning on loan_order (order_no text_pattern_ops);
