-- A review that could decide nothing is kept like one that did: it was neither approved nor refused, and is tried again.
alter table risk_decision drop constraint risk_decision_decision_check;
alter table risk_decision add constraint risk_decision_decision_check check (decision in ('refuse', 'review', 'approve', 'incomplete'));
