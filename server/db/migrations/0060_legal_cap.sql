-- Ceilings of the law on what a loan may cost, as dated; rows are never deleted, a change is a new row.

create table legal_cap (
  cap_no text primary key,
  cap_key text not null check (cap_key in ('interest_month', 'interest_year', 'default_charges')),
  cap_value numeric(9,4) not null check (cap_value >= 0 and cap_value <= 1000),
  cap_base text not null check (cap_base in ('principal', 'advanced')),
  cap_mode text not null check (cap_mode in ('off', 'warn', 'enforce')),
  fee_treatment text not null check (fee_treatment in ('interestOnly', 'allIn')),
  effective_from date not null,
  effective_to date check (effective_to >= effective_from),
  legal_source text not null check (length(legal_source) between 1 and 500),
  unique (cap_key, effective_from)
);

insert into legal_cap (cap_no, cap_key, cap_value, cap_base, cap_mode, fee_treatment, effective_from, legal_source) values
  ('LC1', 'interest_month', 2.8, 'advanced', 'enforce', 'interestOnly', '2024-11-15', 'Legal Notice 21 of 2024'),
  ('LC2', 'interest_year', 33.6, 'advanced', 'enforce', 'interestOnly', '2024-11-15', 'Legal Notice 21 of 2024'),
  ('LC3', 'default_charges', 50, 'principal', 'warn', 'interestOnly', '2024-03-01', 'Press reports of the UMRA Digital Lending Guidelines 2024');
