-- Who confirms a payout by a serial asks whether somebody else did: a file asks that once a row.
create index loan_code_confirm_serial on loan_code_confirm (serial_no) where serial_no is not null;
