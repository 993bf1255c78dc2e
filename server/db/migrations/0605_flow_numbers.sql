-- Receipts are looked for by the number of their transaction, and by what the customer paid to.
create index repay_flow_serial_no on repay_flow (serial_no);
create index repay_flow_payment_code on repay_flow (payment_code, entry_time desc) where payment_code is not null;
