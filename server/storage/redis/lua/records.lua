
-- Identities, by their lane: identity:<id> (hash of name, made_at, move), tokens:<id> (hash -> {label, made_at}) and
-- tokens_order:<id> (list of hashes), games:<id> (match -> note) and games_order:<id> (match -> rank); what leads to one, by
-- its own lane: token:<hash>, move:<hash>. With the tag "records": results (list of {match, result}), resulted (their
-- matches), books, books_no, secrets.

local function key_of(op, kind)
  return root(op[2]) .. kind .. ':' .. op[3]
end

-- {_, tag, id, name, made_at}
function DO.keep_identity(op)
  redis.call('HSET', key_of(op, 'identity'), 'name', op[4], 'made_at', op[5])
  return true
end

-- {_, tag, id} -> {name, made_at} or false. With a token's hash: only if it leads here.
function DO.identity(op)
  if op[4] and redis.call('HEXISTS', key_of(op, 'tokens'), op[4]) == 0 then
    return false
  end
  local found = redis.call('HMGET', key_of(op, 'identity'), 'name', 'made_at')
  return found[1] and { found[1], tonumber(found[2]) } or false
end

-- {_, tag, id, name}
function DO.rename(op)
  if redis.call('EXISTS', key_of(op, 'identity')) == 1 then
    redis.call('HSET', key_of(op, 'identity'), 'name', op[4])
  end
  return true
end

-- Returns the hashes that made room for it.
local function add_token(op, hash, label, made_at, most)
  local tokens, order, dropped = key_of(op, 'tokens'), key_of(op, 'tokens_order'), {}
  if redis.call('HSET', tokens, hash, cmsgpack.pack({ label, made_at })) == 1 then
    redis.call('RPUSH', order, hash)
  end
  while redis.call('LLEN', order) > most do
    local oldest = redis.call('LPOP', order)
    redis.call('HDEL', tokens, oldest)
    dropped[#dropped + 1] = oldest
  end
  return dropped
end

-- {_, tag, id, hash, label, made_at, most} -> false, or the hashes that made room for it
function DO.add_token(op)
  if redis.call('EXISTS', key_of(op, 'identity')) == 0 then
    return false
  end
  return add_token(op, op[4], op[5], op[6], op[7])
end

-- {_, tag, id} -> {{hash, label, made_at}, ...}
function DO.tokens(op)
  local found = {}
  for i, hash in ipairs(redis.call('LRANGE', key_of(op, 'tokens_order'), 0, -1)) do
    local note = cmsgpack.unpack(redis.call('HGET', key_of(op, 'tokens'), hash))
    found[i] = { hash, note[1], note[2] }
  end
  return found
end

-- {_, tag, id, hash}
function DO.drop_token(op)
  redis.call('LREM', key_of(op, 'tokens_order'), 0, op[4])
  return redis.call('HDEL', key_of(op, 'tokens'), op[4]) == 1
end

-- {_, tag, id, hash, until}
function DO.offer_move(op)
  redis.call('HSET', key_of(op, 'move_of'), 'hash', op[4], 'until', op[5])
  return true
end

-- {_, tag, id, hash} -> until (0: used) or false
function DO.find_move(op)
  local offered = redis.call('HMGET', key_of(op, 'move_of'), 'hash', 'until')
  return offered[1] == op[4] and tonumber(offered[2])
end

-- {_, tag, id, hash, now, token's hash, label, made_at, most} -> {until (before this) or false, the hashes
-- that lead nowhere now}
function DO.take_move(op)
  local till = DO.find_move(op)
  if not till or op[5] >= till or redis.call('EXISTS', key_of(op, 'identity')) == 0 then
    return { till, redis.call('HEXISTS', key_of(op, 'tokens'), op[6]) == 1 and {} or { op[6] } }
  end
  redis.call('HSET', key_of(op, 'move_of'), 'until', 0)
  return { till, add_token(op, op[6], op[7], op[8], op[9]) }
end

-- What leads to an identity. {_, tag, kind:hash, id, seconds or false}
function DO.lead(op)
  if op[5] then
    redis.call('SET', root(op[2]) .. op[3], op[4], 'EX', op[5])
  else
    redis.call('SET', root(op[2]) .. op[3], op[4])
  end
  return true
end

function DO.lead_nowhere(op)
  redis.call('DEL', root(op[2]) .. op[3])
  return true
end

function DO.led(op)
  return redis.call('GET', root(op[2]) .. op[3])
end

-- {_, tag, id, match, note, most}
function DO.note_game(op)
  local games, order = key_of(op, 'games'), key_of(op, 'games_order')
  redis.call('HSET', games, op[4], op[5])
  if not redis.call('ZSCORE', order, op[4]) then
    local last = redis.call('ZRANGE', order, -1, -1, 'WITHSCORES')
    redis.call('ZADD', order, (tonumber(last[2]) or 0) + 1, op[4])
  end
  while redis.call('ZCARD', order) > op[6] do
    redis.call('HDEL', games, redis.call('ZPOPMIN', order)[1])
  end
  return true
end

-- {_, tag, id, match}
function DO.forget_game(op)
  redis.call('HDEL', key_of(op, 'games'), op[4])
  redis.call('ZREM', key_of(op, 'games_order'), op[4])
  return true
end

-- {_, tag, id} -> {{match, note}, ...}
function DO.games_of(op)
  local found = {}
  for i, match in ipairs(redis.call('ZREVRANGE', key_of(op, 'games_order'), 0, -1)) do
    found[i] = { match, redis.call('HGET', key_of(op, 'games'), match) }
  end
  return found
end

-- {_, tag, match, result}
function DO.add_result(op)
  if redis.call('SADD', root(op[2]) .. 'resulted', op[3]) == 0 then
    return false
  end
  redis.call('RPUSH', root(op[2]) .. 'results', cmsgpack.pack({ op[3], op[4] }))
  return true
end

-- {_, tag, after, limit} -> packed results
function DO.results(op)
  return false
end

function AFTER.results(op)
  return redis.call('LRANGE', root(op[2]) .. 'results', op[3], op[3] + op[4] - 1)
end

function DO.drop_books(op)
  redis.call('DEL', root(op[2]) .. 'books', root(op[2]) .. 'books_no')
  return true
end

-- {_, tag, keys} -> each book or false
function DO.books(op)
  return false
end

function AFTER.books(op)
  local found = {}
  for i, name in ipairs(op[3]) do
    found[i] = redis.call('HGET', root(op[2]) .. 'books', name)
  end
  return found
end

function DO.books_no(op)
  return tonumber(redis.call('GET', root(op[2]) .. 'books_no') or 0)
end

-- {_, tag, after, no, keys, books}
function DO.keep_books(op)
  if DO.books_no(op) ~= op[3] then
    return false
  end
  redis.call('SET', root(op[2]) .. 'books_no', op[4])
  for i, name in ipairs(op[5]) do
    redis.call('HSET', root(op[2]) .. 'books', name, op[6][i])
  end
  return true
end

-- {_, tag, name, candidate}
function DO.secret(op)
  redis.call('HSETNX', root(op[2]) .. 'secrets', op[3], op[4])
  return redis.call('HGET', root(op[2]) .. 'secrets', op[3])
end
