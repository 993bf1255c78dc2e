-- Which commands on money a partner's page may call, and the proofs that each such call uses up.

-- Named one by one, by their audit names: an operation code alone lets no page of a partner move or forgive money.
alter table partner_grant add column money_commands text[] not null default '{}';

-- A proof belongs to a session of the console, or to the chain of tokens of a partner's page.
alter table step_up alter column session_no drop not null;
alter table step_up add column chain_no text;
alter table step_up add constraint step_up_owner check (num_nonnulls(session_no, chain_no) = 1);
