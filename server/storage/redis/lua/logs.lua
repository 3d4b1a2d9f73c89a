
-- The logs. Keys of a lane: clock; log:<match> (list of stamp .. entry), ends (match -> play time at which its log goes),
-- archive:<match>, archived (their names), old (match -> play time at which its archive goes), live, orphans (live ones
-- without a host), hosts (match -> boot ids), of:<boot> (its matches), nodes (boot -> play time of its last beat), knows
-- (boot -> rules version), hints (boot -> hints sent).

local SWEEP = 50
local hints = {}

local function log_key(op)
  return root(op[2]) .. 'log:' .. op[3]
end

-- Notes for the other nodes that host this match that there is more of it.
local function hint(tag, match)
  local hosts = redis.call('HGET', root(tag) .. 'hosts', match)
  if not hosts or hosts == boot then
    return
  end
  for other in string.gmatch(hosts, '%S+') do
    if other ~= boot then
      local tags = hints[other] or {}
      hints[other] = tags
      local matches = tags[tag] or {}
      tags[tag] = matches
      matches[#matches + 1] = match
    end
  end
end

at_end[#at_end + 1] = function()
  for other, tags in pairs(hints) do
    local message = {}
    for tag, matches in pairs(tags) do
      local number = redis.call('HINCRBY', root(tag) .. 'hints', other, 1)
      message[#message + 1] = { tag, number, matches }
    end
    if sharded then
      for _, part in ipairs(message) do
        redis.call('SPUBLISH', root(part[1]) .. 'hints:' .. other, cmsgpack.pack({ part }))
      end
    else
      redis.call('PUBLISH', prefix .. ':hints:' .. other, cmsgpack.pack(message))
    end
  end
end

-- {_, tag, match, have, if_head (-1: any), entries (false: they are too large)}
function DO.append(op)
  local play, key, entries = play_of(op[2]), log_key(op), op[6]
  if entries and #entries == 1 and op[5] < 0 then -- nearly all are of this kind: one call less
    local no = redis.call('RPUSHX', key, stamp_of(op[2]) .. entries[1])
    if no == 0 then
      return 'gone'
    end
    if no > MAX_ENTRIES then
      redis.call('RPOP', key)
      return 'full'
    end
    pcall(hint, op[2], op[3])
    return { play, no - 1 }
  end
  local head = redis.call('LLEN', key)
  if head == 0 then
    return 'gone'
  end
  if op[5] >= 0 and op[5] ~= head then
    return 'stale'
  end
  if not entries then
    return 'too_large'
  end
  if head + #entries > MAX_ENTRIES then
    return 'full'
  end
  if #entries > 0 then
    local stamp = stamp_of(op[2])
    for _, entry in ipairs(entries) do
      redis.call('RPUSHX', key, stamp .. entry)
    end
    pcall(hint, op[2], op[3])
  end
  return { play, head }
end

function AFTER.append(op, result)
  if type(result) == 'table' and result[2] and op[4] < result[2] then
    result[3] = redis.call('LRANGE', log_key(op), math.max(0, op[4]), result[2] - 1)
  end
  return result
end

-- {_, tag, match, first, idle ms}
function DO.create(op)
  local play, key = play_of(op[2]), log_key(op)
  if redis.call('EXISTS', key, root(op[2]) .. 'archive:' .. op[3]) > 0 then
    return 'exists'
  end
  redis.call('ZADD', root(op[2]) .. 'ends', play + op[5], op[3])
  redis.call('RPUSH', key, stamp_of(op[2]) .. op[4])
  return { play, 0 }
end

-- {_, tag, match, after, limit}
function DO.read(op)
  return { play_of(op[2]) }
end

function AFTER.read(op, result)
  if type(result) ~= 'table' or result.err then
    return result
  end
  local key, after = log_key(op), math.max(0, op[4])
  local head = redis.call('LLEN', key)
  if head == 0 then
    return 'gone'
  end
  return { result[1], head, redis.call('LRANGE', key, after, after + op[5] - 1) }
end

local function add_host(tag, match)
  local key = root(tag) .. 'hosts'
  local hosts = redis.call('HGET', key, match)
  if redis.call('SADD', root(tag) .. 'of:' .. boot, match) == 1 or not hosts then
    redis.call('HSET', key, match, hosts and hosts .. ' ' .. boot or boot)
  end
  redis.call('SREM', root(tag) .. 'orphans', match)
end

local function drop_host(tag, match, node)
  local key = root(tag) .. 'hosts'
  local left = {}
  for host in string.gmatch(redis.call('HGET', key, match) or '', '%S+') do
    if host ~= node then
      left[#left + 1] = host
    end
  end
  if #left > 0 then
    redis.call('HSET', key, match, table.concat(left, ' '))
  else
    redis.call('HDEL', key, match)
    if redis.call('SISMEMBER', root(tag) .. 'live', match) == 1 then
      redis.call('SADD', root(tag) .. 'orphans', match)
    end
  end
end

-- {_, tag, match, after, limit, idle ms}: host it and read it. Without a node's life it is only read; with one that
-- ended, neither.
function DO.register(op)
  local tag, match, play = op[2], op[3], play_of(op[2])
  if redis.call('EXISTS', log_key(op)) == 0 then
    return 'gone'
  end
  if boot ~= '' then
    if not redis.call('ZSCORE', root(tag) .. 'nodes', boot) then
      return 'dead'
    end
    add_host(tag, match)
    if redis.call('EXISTS', root(tag) .. 'archive:' .. match) == 0 then
      redis.call('ZADD', root(tag) .. 'ends', play + op[6], match)
    end
  end
  return { play }
end

AFTER.register = AFTER.read

function DO.unregister(op)
  play_of(op[2])
  if redis.call('SREM', root(op[2]) .. 'of:' .. boot, op[3]) == 1 then
    drop_host(op[2], op[3], boot)
  end
  return true
end

-- {_, tag, match, ms}: how long it stays if it has not ended.
function DO.keep(op)
  local tag, match, play = op[2], op[3], play_of(op[2])
  if redis.call('EXISTS', log_key(op)) == 1 and redis.call('EXISTS', root(tag) .. 'archive:' .. match) == 0 then
    redis.call('ZADD', root(tag) .. 'ends', play + op[4], match)
  end
  return true
end

-- {_, tag, match, live}
function DO.set_live(op)
  local tag, match = op[2], op[3]
  play_of(tag)
  local open = redis.call('EXISTS', log_key(op)) == 1 and redis.call('EXISTS', root(tag) .. 'archive:' .. match) == 0
  if op[4] and open then
    redis.call('SADD', root(tag) .. 'live', match)
    if redis.call('HEXISTS', root(tag) .. 'hosts', match) == 0 then
      redis.call('SADD', root(tag) .. 'orphans', match)
    end
  else
    redis.call('SREM', root(tag) .. 'live', match)
    redis.call('SREM', root(tag) .. 'orphans', match)
  end
  return true
end

-- {_, tag, match, archive, keep ms, archive's ms (false: for ever)}
function DO.finish(op)
  local tag, match, play = op[2], op[3], play_of(op[2])
  redis.call('SREM', root(tag) .. 'live', match)
  redis.call('SREM', root(tag) .. 'orphans', match)
  if not redis.call('SET', root(tag) .. 'archive:' .. match, op[4], 'NX') then
    return false
  end
  redis.call('SADD', root(tag) .. 'archived', match)
  if op[6] then
    redis.call('ZADD', root(tag) .. 'old', play + op[6], match)
  end
  if redis.call('EXISTS', log_key(op)) == 1 then
    redis.call('ZADD', root(tag) .. 'ends', play + op[5], match)
  end
  return true
end

function DO.archived(op)
  return false
end

function AFTER.archived(op)
  return redis.call('GET', root(op[2]) .. 'archive:' .. op[3])
end

-- {_, tag, cursor, about so many}
function DO.archives(op)
  return false
end

function AFTER.archives(op)
  return redis.call('SSCAN', root(op[2]) .. 'archived', op[3], 'COUNT', op[4])
end

local function bury(tag, node)
  redis.call('ZREM', root(tag) .. 'nodes', node)
  redis.call('HDEL', root(tag) .. 'knows', node)
  redis.call('HDEL', root(tag) .. 'hints', node)
  local key = root(tag) .. 'of:' .. node
  for _, match in ipairs(redis.call('SMEMBERS', key)) do
    drop_host(tag, match, node)
  end
  redis.call('DEL', key)
end

-- {_, tag, knows}: a life begins.
function DO.join(op)
  local tag, play = op[2], play_of(op[2])
  bury(tag, boot)
  redis.call('ZADD', root(tag) .. 'nodes', play, boot)
  redis.call('HSET', root(tag) .. 'knows', boot, op[3])
  return true
end

-- {_, tag}: it ends.
function DO.leave(op)
  play_of(op[2])
  bury(op[2], boot)
  return true
end

local function let_go(tag, match)
  for host in string.gmatch(redis.call('HGET', root(tag) .. 'hosts', match) or '', '%S+') do
    redis.call('SREM', root(tag) .. 'of:' .. host, match)
  end
  redis.call('HDEL', root(tag) .. 'hosts', match)
  redis.call('SREM', root(tag) .. 'live', match)
  redis.call('SREM', root(tag) .. 'orphans', match)
  redis.call('ZREM', root(tag) .. 'ends', match)
  redis.call('DEL', root(tag) .. 'log:' .. match)
end

-- Lets logs and archives go whose time is over; a log in use that has not ended stays.
local function sweep(tag, play, idle)
  local ends = root(tag) .. 'ends'
  for _, match in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', play, 'LIMIT', 0, SWEEP)) do
    local in_use = redis.call('HEXISTS', root(tag) .. 'hosts', match) == 1
      or redis.call('SISMEMBER', root(tag) .. 'live', match) == 1
    if in_use and redis.call('EXISTS', root(tag) .. 'archive:' .. match) == 0 then
      redis.call('ZADD', ends, play + idle, match)
    else
      let_go(tag, match)
    end
  end
  local old = root(tag) .. 'old'
  for _, match in ipairs(redis.call('ZRANGEBYSCORE', old, '-inf', play, 'LIMIT', 0, SWEEP)) do
    redis.call('DEL', root(tag) .. 'archive:' .. match)
    redis.call('SREM', root(tag) .. 'archived', match)
    redis.call('ZREM', old, match)
  end
end

-- {_, tag, idle ms}: a sign of life -> {play time, alive, boot ids, highest rules version that all know, hints sent to
-- this node, live matches without a host}
function DO.beat(op)
  local tag, play = op[2], play_of(op[2])
  local nodes, alive = root(tag) .. 'nodes', true
  if boot ~= '' then
    alive = redis.call('ZSCORE', nodes, boot) and true or false
    if alive then
      redis.call('ZADD', nodes, play, boot)
    end
  end
  for _, node in ipairs(redis.call('ZRANGEBYSCORE', nodes, '-inf', '(' .. play - DEAD)) do
    bury(tag, node)
  end
  sweep(tag, play, op[3])
  local knows = false
  for _, version in ipairs(redis.call('HVALS', root(tag) .. 'knows')) do
    version = tonumber(version)
    if not knows or version < knows then
      knows = version
    end
  end
  local sent = tonumber(redis.call('HGET', root(tag) .. 'hints', boot) or 0)
  local orphans = redis.call('SCARD', root(tag) .. 'orphans')
  return { play, alive, redis.call('ZRANGE', nodes, 0, -1), knows, sent, orphans }
end

-- {_, tag, at most so many}: take over live matches without a host.
function DO.adopt(op)
  local tag, adopted = op[2], {}
  play_of(tag)
  if not redis.call('ZSCORE', root(tag) .. 'nodes', boot) then
    return adopted
  end
  for _, match in ipairs(redis.call('SPOP', root(tag) .. 'orphans', op[3])) do
    if redis.call('EXISTS', root(tag) .. 'log:' .. match) == 1 then
      add_host(tag, match)
      adopted[#adopted + 1] = match
    end
  end
  return adopted
end
