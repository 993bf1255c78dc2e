-- What a partner's app collects with the applicant's consent, as it came with the application: read, never changed. Apps, positions and the
-- record of the SIM card are looked at order by order and stand in one row; people the applicant talks with stand among the contacts.
alter table order_contact
  add column call_count int, add column sms_count int, add column call_minutes int, add column last_call_time timestamptz, add column in_phone_book boolean,
  add constraint order_contact_source check (contact_source in ('declared', 'affinity'));
create index order_contact_phone on order_contact (contact_phone, order_no);

create table order_collected (
  order_no text primary key references loan_order, apps jsonb, positions jsonb, sim jsonb,
  face_score numeric(4,3) check (face_score between 0 and 1), face_features numeric[] check (cardinality(face_features) = 16)
);

-- What the bank verification service says of the number that an applicant gave.
create table order_bvn (
  order_no text primary key references loan_order, bvn text not null,
  bvn_result text not null default 'not_asked' check (bvn_result in ('not_asked', 'unknown', 'none', 'passed', 'failed')),
  bvn_name text, bvn_birth_date date, bvn_phone text, asked_by text, asked_time timestamptz, answered_time timestamptz, version int not null default 0
);

-- How alike two faces are, from 0 to 1: the cosine of their features.
create function face_likeness(a numeric[], b numeric[]) returns numeric language sql immutable strict parallel safe as $$
  select greatest(0, sum(x * y) / nullif(sqrt(sum(x * x)) * sqrt(sum(y * y)), 0))::numeric(4,3) from unnest(a, b) as f(x, y)
$$;
