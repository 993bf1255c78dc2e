-- Partners that fill in their form with what the customer agrees to hand over: where it is sent, what of the customer, and under which text.
alter table supermarket_platform add column prefill_url text;
alter table supermarket_platform add column prefill_fields text[];
alter table supermarket_platform add column consent_version int not null default 1;
alter table supermarket_platform add constraint supermarket_platform_prefill check ((prefill_url is null) = (coalesce(cardinality(prefill_fields), 0) = 0));
comment on column supermarket_platform.consent_version is 'Counts the texts that customers agreed to, with the fields that went under each; the texts themselves stand in the history.';

create function count_consent() returns trigger language plpgsql as $$
begin
  if new.consent_text is distinct from old.consent_text or new.prefill_fields is distinct from old.prefill_fields then
    new.consent_version := old.consent_version + 1;
  end if;
  return new;
end $$;
create trigger supermarket_platform_consent before update on supermarket_platform for each row execute function count_consent();

alter table market_product add column handoff text not null default 'link' check (handoff in ('link', 'prefill'));
alter table market_click add column consent_version int;
alter table market_click add column prefilled text[] not null default '{}';
comment on column market_click.consent_version is 'Of the text that the customer agreed to when this product was opened; null where nothing but the number of the click went along.';
