-- A receipt that staff typed is money once something shows it: a record of the channel or the bank, or a second person.

alter table repay_flow add column proof text check (proof in ('channel', 'statement', 'person', 'earlier'));
comment on column repay_flow.proof is 'What shows that the money came; earlier: counted before proof was asked for.';

update repay_flow set proof = case source when 'callback' then 'channel' when 'import' then 'statement' else 'earlier' end
where flow_status not in ('draft', 'supplement_review') and not (source in ('typed', 'supplement') and flow_status = 'void' and applied = 0 and refunded = 0);

create index repay_flow_unproven on repay_flow (channel, serial_no) where flow_status = 'unproven';
