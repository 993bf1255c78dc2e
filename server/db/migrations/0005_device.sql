-- Machine review counts the other customers of a device.

create index loan_order_device on loan_order ((device ->> 'deviceId'), apply_time);
