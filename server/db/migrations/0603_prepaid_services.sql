-- Services that a merchant who pays in advance gets only while its wallet stands above its floor. What is owed to customers is never one of them.
alter table consumption_type add column prepaid_required boolean not null default false,
  add constraint consumption_type_never_stopped check (not prepaid_required or meter not in ('machine_review', 'payout', 'repayment_link'));
