
-- The lobby. Keys: clock, nodes (boot -> time of its last sign of life), seeks (identity -> seek), by_seek and by_conn
-- (-> identity), pairings (match -> pairing), held (identity -> match), code:<code>. A seek is {seek, identity, conn,
-- since, terms, rest}, a player {identity, conn, name}, a pairing {match, at, terms, player, player, seek or false, seek
-- or false}.

local key = root('lobby')

local function seek_of(identity)
  local packed = redis.call('HGET', key .. 'seeks', identity)
  return packed and cmsgpack.unpack(packed) or false
end

local function open_seek(id)
  local identity = redis.call('HGET', key .. 'by_seek', id)
  return identity and seek_of(identity) or false
end

local function close_seek(seek)
  redis.call('HDEL', key .. 'seeks', seek[2])
  redis.call('HDEL', key .. 'by_seek', seek[1])
  redis.call('HDEL', key .. 'by_conn', seek[3])
end

local function settle(match)
  local packed = redis.call('HGET', key .. 'pairings', match)
  if packed then
    local pairing = cmsgpack.unpack(packed)
    for place = 4, 5 do
      local identity = pairing[place][1]
      if redis.call('HGET', key .. 'held', identity) == match then
        redis.call('HDEL', key .. 'held', identity)
      end
    end
    redis.call('HDEL', key .. 'pairings', match)
  end
end

local function boot_of(conn)
  return string.match(conn, '^(.*)%.') or ''
end

-- Moves the lobby's time on; lets go the seeks of dead nodes, and pairings that nobody settled.
local function advance()
  local time = play_of('lobby')
  if boot ~= '' then
    redis.call('ZADD', key .. 'nodes', time, boot)
  end
  if redis.call('ZREMRANGEBYSCORE', key .. 'nodes', '-inf', '(' .. time - DEAD) > 0 then
    for _, packed in ipairs(redis.call('HVALS', key .. 'seeks')) do
      local seek = cmsgpack.unpack(packed)
      if not redis.call('ZSCORE', key .. 'nodes', boot_of(seek[3])) then
        close_seek(seek)
      end
    end
  end
  for _, packed in ipairs(redis.call('HVALS', key .. 'pairings')) do
    local pairing = cmsgpack.unpack(packed)
    if time - pairing[2] >= PAIRING then
      settle(pairing[1])
    end
  end
  return time
end

local function holding(identity)
  local match = redis.call('HGET', key .. 'held', identity)
  local packed = match and redis.call('HGET', key .. 'pairings', match)
  return packed and cmsgpack.unpack(packed) or false
end

local function hold(pairing)
  for place = 4, 5 do
    local identity = pairing[place][1]
    local seek = seek_of(identity)
    if seek then
      close_seek(seek)
    end
    redis.call('HSET', key .. 'held', identity, pairing[1])
  end
  redis.call('HSET', key .. 'pairings', pairing[1], cmsgpack.pack(pairing))
  return pairing
end

local function player(seek)
  return { seek[2], seek[3], seek[7] }
end

-- {_, _, seek, identity, conn, since or false, terms, rating, name} -> {since, false} or {false, pairing}
function DO.open_seek(op)
  local time = advance()
  local held = holding(op[4])
  if held then
    return { false, held }
  end
  local seek = { op[3], op[4], op[5], op[6] or time, op[7], op[8], op[9] }
  local before = seek_of(seek[2])
  if before then
    close_seek(before)
  end
  local packed = cmsgpack.pack(seek)
  redis.call('HSET', key .. 'seeks', seek[2], packed)
  redis.call('HSET', key .. 'by_seek', seek[1], seek[2])
  redis.call('HSET', key .. 'by_conn', seek[3], seek[2])
  return { seek[4], false }
end

-- {_, _, conn}
function DO.close_seek(op)
  advance()
  local identity = redis.call('HGET', key .. 'by_conn', op[3])
  local seek = identity and seek_of(identity)
  if not seek or seek[3] ~= op[3] then
    return false
  end
  close_seek(seek)
  return true
end

-- {_, _, boot} -> {time, seeks, pairings of the node}
function DO.look(op)
  local time, seeks, pairings = advance(), {}, {}
  for _, packed in ipairs(redis.call('HVALS', key .. 'seeks')) do
    seeks[#seeks + 1] = cmsgpack.unpack(packed)
  end
  for _, packed in ipairs(redis.call('HVALS', key .. 'pairings')) do
    local pairing = cmsgpack.unpack(packed)
    if boot_of(pairing[4][2]) == op[3] or boot_of(pairing[5][2]) == op[3] then
      pairings[#pairings + 1] = pairing
    end
  end
  return { time, seeks, pairings }
end

-- {_, _, match, seek, seek} -> pairing or false
function DO.pair(op)
  local time = advance()
  local one, other = open_seek(op[4]), open_seek(op[5])
  if not one or not other or one[2] == other[2] or one[5] ~= other[5] then
    return false
  end
  return hold({ op[3], time, one[5], player(one), player(other), one, other })
end

-- {_, _, match, seek, identity, conn, name} -> pairing or false
function DO.accept(op)
  local time = advance()
  local taken = open_seek(op[4])
  if not taken or taken[2] == op[5] or holding(op[5]) then
    return false
  end
  return hold({ op[3], time, taken[5], player(taken), { op[5], op[6], op[7] }, taken, seek_of(op[5]) })
end

-- {_, _, match}
function DO.settle(op)
  advance()
  settle(op[3])
  return true
end

function DO.beat(op)
  return { advance() }
end

-- The node's life ends, and its seeks with it.
function DO.leave(op)
  play_of('lobby')
  redis.call('ZADD', key .. 'nodes', '-inf', boot)
  boot = ''
  advance()
  return true
end

-- {_, _, code, match, ms}
function DO.claim_code(op)
  local code = key .. 'code:' .. op[3]
  redis.call('SET', code, op[4], 'NX', 'PX', op[5])
  return redis.call('GET', code) == op[4]
end

-- {_, _, code, ms}: whoever asks for it keeps it.
function DO.find_code(op)
  local code = key .. 'code:' .. op[3]
  local match = redis.call('GET', code)
  if match then
    redis.call('PEXPIRE', code, op[4])
  end
  return match
end

-- {_, _, code}
function DO.release_code(op)
  redis.call('DEL', key .. 'code:' .. op[3])
  return true
end
