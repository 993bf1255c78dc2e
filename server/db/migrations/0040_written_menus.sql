-- The menu is written at each start: what this product brings, and what it no longer has.

-- `builtin`: a page, catalog or code of the product, not of the installation. `gone_time`: the product no longer has it; grants stay for its return.
alter table menu add column builtin boolean not null default false, add column gone_time timestamptz;
update menu set builtin = true where menu_type <> 'external';

-- Roles that are given every new page and code as soon as the product brings it.
alter table role add column every_code boolean not null default false;
