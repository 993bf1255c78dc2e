-- How people keep the lists they work with: filters, columns, order, row height. Never a sensitive value.

create table saved_view (
  view_no text primary key, owner_no text not null references app_user, widget text not null, view_name text not null,
  filters jsonb not null, columns text[] not null, sort text not null, density text check (density in ('normal', 'compact')),
  shared boolean not null default false,
  created_time timestamptz not null, updated_time timestamptz not null, version int not null default 0
);
create unique index saved_view_name on saved_view (owner_no, widget, lower(view_name));
create index saved_view_shared on saved_view (widget) where shared;

-- What a list starts with, person by person; it may be a shared view of somebody else.
create table saved_view_default (
  user_no text not null references app_user, widget text not null, view_no text not null references saved_view on delete cascade,
  primary key (user_no, widget)
);
create index saved_view_default_view on saved_view_default (view_no);
