-- A file that a decision rests on stays with its record, whatever the code above does.

alter table attachment add column rests_on text;
comment on column attachment.rests_on is 'The decision that rests on this file; from then on it can be neither removed nor replaced.';

update attachment a set rests_on = 'audit.submit'
where a.object_type = 'order' and a.removed_time is null
  and exists (select 1 from audit_record r where r.order_no = a.object_no and r.audit_result in ('pass', 'refuse') and r.submit_time >= a.uploaded_time);
update attachment a set rests_on = 'payout.confirm' where a.object_type = 'loanCode' and a.removed_time is null;

create function keep_evidence() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'attachment % is evidence', old.attach_no using errcode = '23514', constraint = 'attachment_evidence';
  end if;
  if new.removed_time is not null or new.rests_on is null
    or (new.upload_no, new.object_type, new.object_no) is distinct from (old.upload_no, old.object_type, old.object_no) then
    raise exception 'attachment % is evidence', old.attach_no using errcode = '23514', constraint = 'attachment_evidence';
  end if;
  return new;
end $$;
create trigger attachment_evidence before update or delete on attachment for each row when (old.rests_on is not null) execute function keep_evidence();

create function keep_evidence_file() returns trigger language plpgsql as $$
begin
  if exists (select 1 from attachment a where a.upload_no = old.upload_no and a.rests_on is not null) then
    raise exception 'upload % is evidence', old.upload_no using errcode = '23514', constraint = 'attachment_evidence';
  end if;
  return new;
end $$;
create trigger upload_evidence before update on upload for each row
  when (old.upload_status = 'attached' and (new.upload_status, new.file_id, new.file_sha256) is distinct from (old.upload_status, old.file_id, old.file_sha256))
  execute function keep_evidence_file();
