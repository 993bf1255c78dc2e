-- Words that no text of staff or of a campaign may hold. Words of one form (capitals, width, repeated letters aside) are the same word.
create table sensitive_word (
  word_no text primary key, enabled text not null, word text not null, normal_word text not null,
  word_language text not null, category text not null, scopes text[] not null check (cardinality(scopes) > 0),
  word_action text not null check (word_action in ('block', 'warn', 'replace')), replacement text,
  created_time timestamptz not null, updated_by text not null, updated_time timestamptz not null, deleted_time timestamptz, version int not null default 0,
  check ((word_action = 'replace') = (replacement is not null))
);
create unique index sensitive_word_normal on sensitive_word (normal_word) where deleted_time is null;
create index sensitive_word_updated on sensitive_word (updated_time, word_no) where deleted_time is null;
create trigger sensitive_word_enabled_guard before update on sensitive_word for each row when (old.enabled is distinct from new.enabled) execute function guard_status('enabled');

-- Texts that held such a word, as they were written but for personal values; they stay when the word is deleted.
create table sensitive_word_hit (
  hit_no text primary key, word_no text not null references sensitive_word, word text not null, word_action text not null,
  scope text not null, user_no text not null, hit_time timestamptz not null,
  hit_text text not null, hit_start int not null, hit_end int not null, object_type text, object_no text,
  check (hit_start >= 0 and hit_start < hit_end)
);
create index sensitive_word_hit_word on sensitive_word_hit (word_no, hit_time);
create index sensitive_word_hit_time on sensitive_word_hit (hit_time, hit_no);
create trigger sensitive_word_hit_fixed before update or delete on sensitive_word_hit for each row execute function refuse_change();
