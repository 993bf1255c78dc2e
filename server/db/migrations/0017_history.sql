-- History and the ledger are written once: no row of them is changed, removed or emptied, by whoever it be.

create function refuse_emptying() returns trigger language plpgsql as $$ begin raise exception 'rows of % are never removed', tg_table_name; end $$;
create trigger journal_kept before truncate on journal for each statement execute function refuse_emptying();
create trigger journal_line_kept before truncate on journal_line for each statement execute function refuse_emptying();
create trigger state_transition_kept before truncate on state_transition for each statement execute function refuse_emptying();
create trigger audit_log_kept before truncate on audit_log for each statement execute function refuse_emptying();
create trigger access_log_kept before truncate on access_log for each statement execute function refuse_emptying();

-- A journal is closed by the transaction that wrote it: a line that comes later is refused, also where it would balance.
create or replace function journal_balances() returns trigger language plpgsql as $$
begin
  if exists (select 1 from journal j where j.journal_no = new.journal_no and age(j.xmin) > age(pg_current_xact_id()::xid)) then
    raise exception 'journal % is closed', new.journal_no;
  end if;
  if exists (select 1 from journal_line where journal_no = new.journal_no having sum(amount) <> 0) then
    raise exception 'journal % does not balance', new.journal_no;
  end if;
  return null;
end $$;

-- What takes a journal back negates it line by line, counts on the same day and names its code; a reversal is not taken back.
create function journal_complete() returns trigger language plpgsql as $$
declare original journal%rowtype;
begin
  if not exists (select 1 from journal_line where journal_no = new.journal_no) then
    raise exception 'journal % has no lines', new.journal_no;
  end if;
  if new.reverses_journal_no is null then
    if new.posting_code = 'P-REV' or new.reversed_posting_code is not null then
      raise exception 'journal % says that it reverses, but not what', new.journal_no;
    end if;
    return null;
  end if;
  select * into original from journal where journal_no = new.reverses_journal_no;
  if new.posting_code <> 'P-REV' or original.posting_code = 'P-REV' or new.value_date <> original.value_date
    or new.reversed_posting_code is distinct from original.posting_code or exists (
      select 1 from journal_line where journal_no in (new.journal_no, original.journal_no)
      group by account_code, component, order_no, bill_no, loan_code, flow_no, repayment_no, customer_no, merchant_no,
        case when journal_no = new.journal_no then -amount else amount end
      having 2 * count(*) filter (where journal_no = new.journal_no) <> count(*)) then
    raise exception 'journal % does not mirror journal %', new.journal_no, original.journal_no;
  end if;
  return null;
end $$;
create constraint trigger journal_complete after insert on journal deferrable initially deferred for each row execute function journal_complete();

-- The audit log is chained: each row of the chain holds a hash of its audit row and of the hash before it. A row joins the chain
-- soon after it was committed, so the chain has an order of its own.
create function audit_hash(before text, a audit_log) returns text language sql stable as $$
  select encode(sha256(convert_to(before || jsonb_build_array(a.audit_no, a.action, a.object_type, a.object_no, a.order_no, a.actor, a.actor_name,
    to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), a.request_id, a.ip, a.partner_no, a.before, a.after)::text, 'UTF8')), 'hex')
$$;
create table audit_chain (chain_no bigint primary key, audit_no bigint not null unique, hash text not null);
-- Where the chain stood at the end of a business date, sealed with a key that the database does not hold.
create table audit_anchor (anchor_date date primary key, chain_no bigint not null, audit_no bigint not null, hash text not null, seal text not null, anchored_time timestamptz not null);
-- The end of the chain; rows up to `settled_no` are all in it.
create table audit_tip (id int primary key default 1 check (id = 1), chain_no bigint not null default 0, hash text not null default '', settled_no bigint not null default 0);
insert into audit_tip (id) values (1);
create function chain_audit(most int) returns int language plpgsql as $$
declare
  tip audit_tip%rowtype;
  a audit_log%rowtype;
  taken int := 0;
begin
  select * into tip from audit_tip for update;
  for a in
    select l.* from audit_log l where l.audit_no > tip.settled_no and not exists (select 1 from audit_chain c where c.audit_no = l.audit_no)
    order by l.audit_no limit most
  loop
    tip.chain_no := tip.chain_no + 1;
    tip.hash := audit_hash(tip.hash, a);
    insert into audit_chain (chain_no, audit_no, hash) values (tip.chain_no, a.audit_no, tip.hash);
    taken := taken + 1;
  end loop;
  if taken > 0 then update audit_tip set chain_no = tip.chain_no, hash = tip.hash; end if;
  return taken;
end $$;
create trigger audit_chain_fixed before update or delete on audit_chain for each row execute function refuse_change();
create trigger audit_chain_kept before truncate on audit_chain for each statement execute function refuse_emptying();
create trigger audit_anchor_fixed before update or delete on audit_anchor for each row execute function refuse_change();
create trigger audit_anchor_kept before truncate on audit_anchor for each statement execute function refuse_emptying();

-- Also the role that owns the tables may only read and add. A key column of `journal` stays, because lines that refer to it lock its row.
revoke update, delete, truncate on journal, journal_line, state_transition, audit_log, access_log, audit_chain, audit_anchor from public, current_user;
grant update (journal_no) on journal to current_user;
