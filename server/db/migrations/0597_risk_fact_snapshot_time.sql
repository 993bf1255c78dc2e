-- Models are tested on the newest snapshots.
create index risk_fact_snapshot_time on risk_fact_snapshot (created_time, order_no);
