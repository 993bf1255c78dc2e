-- Whether a receipt of exactly what was quoted for an extension is taken as one by itself.
alter table auto_write_off_config add column auto_extension boolean not null default true;
