-- How a customer is reached and lives, as each merchant was given it: no merchant's application changes what another one knows.

create table merchant_customer (
  customer_no text not null references customer, merchant_no text not null references merchant, phone text not null,
  marital_status text, education text, children_count int, occupation text, employer_name text, monthly_income numeric(18,2), payday int,
  address_text text, district text, residence_type text, email text, updated_time timestamptz not null, version int not null default 0,
  primary key (customer_no, merchant_no)
);
create index merchant_customer_phone on merchant_customer (phone);

-- What stands so far was shared; which merchant it came from is not known any more.
insert into merchant_customer (customer_no, merchant_no, phone, marital_status, education, children_count, occupation, employer_name, monthly_income, payday,
  address_text, district, residence_type, email, updated_time)
select c.customer_no, o.merchant_no, c.phone, c.marital_status, c.education, c.children_count, c.occupation, c.employer_name, c.monthly_income, c.payday,
  c.address_text, c.district, c.residence_type, c.email, c.register_time
from customer c join (select distinct customer_no, merchant_no from loan_order) o using (customer_no);

-- Every order finds its customer at its merchant; `customer` itself keeps what was given first.
create function customer_of_order() returns trigger language plpgsql as $$
begin
  insert into merchant_customer (customer_no, merchant_no, phone, marital_status, education, children_count, occupation, employer_name, monthly_income, payday,
    address_text, district, residence_type, email, updated_time)
  select c.customer_no, new.merchant_no, c.phone, c.marital_status, c.education, c.children_count, c.occupation, c.employer_name, c.monthly_income, c.payday,
    c.address_text, c.district, c.residence_type, c.email, c.register_time
  from customer c where c.customer_no = new.customer_no
  on conflict do nothing;
  return null;
end $$;
create trigger loan_order_customer after insert or update of customer_no, merchant_no on loan_order for each row execute function customer_of_order();

-- A customer as one merchant knows them.
create view order_customer as
select c.customer_no, m.merchant_no, c.customer_name, c.id_number, m.phone, c.gender, c.birth_date, m.marital_status, m.education, m.children_count, m.occupation,
  m.employer_name, m.monthly_income, m.payday, m.address_text, m.district, m.residence_type, m.email, c.customer_status, c.credit_type, c.credit_limit,
  c.remaining_limit, c.member_level, c.whitelisted, c.register_time, m.updated_time
from customer c join merchant_customer m using (customer_no);
