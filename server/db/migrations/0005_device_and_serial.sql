-- Machine review counts the other customers of a device.
create index loan_order_device on loan_order ((device ->> 'deviceId'), apply_time);

-- A draft that was thrown away does not keep its transaction number from the payment that really came.
alter table repay_flow drop constraint repay_flow_channel_serial_no_key;
create unique index repay_flow_serial on repay_flow (channel, serial_no) where flow_status <> 'void';
create index repay_flow_serial_void on repay_flow (serial_no) where flow_status = 'void';
