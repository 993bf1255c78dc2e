-- Accounts with vendors of texts by SMPP and by a protocol of their own in JSON: how they are reached and what their words mean.
alter table message_account
  add column over_tls boolean, add column http_auth text check (http_auth in ('bearer', 'basic', 'signature')), add column request_template text,
  add column vendor_paths jsonb, add column vendor_words jsonb;
