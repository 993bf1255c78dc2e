-- The kind of a credit line stands with the limits, on the customer.
alter table credit drop column credit_type;
