-- Numbers, tables, strings, closures and coroutines; prints what came of them.
local scale = tonumber(arg[1]) or 1

local function matrix(n)
  local a = {}
  for i = 1, n do
    a[i] = {}
    for j = 1, n do a[i][j] = (i * 7 + j * 3) % 11 / 4 end
  end
  return a
end

local function product(a, b)
  local n, c = #a, {}
  for i = 1, n do
    local row = {}
    for j = 1, n do
      local sum = 0
      for k = 1, n do sum = sum + a[i][k] * b[k][j] end
      row[j] = sum
    end
    c[i] = row
  end
  return c
end

local function sieve(n)
  local composite, count = {}, 0
  for i = 2, n do
    if not composite[i] then
      count = count + 1
      for j = i * i, n, i do composite[j] = true end
    end
  end
  return count
end

local function words(n)
  local seen = {}
  for i = 1, n do
    local word = string.format("%x%s", i * 2654435761 % 65536, string.rep("ab", i % 3))
    seen[word:upper():gsub("A", "-")] = i
  end
  local keys = {}
  for key in pairs(seen) do keys[#keys + 1] = key end
  table.sort(keys)
  return #keys, table.concat(keys, ",", 1, 10)
end

local function permutations(n)
  local list, count = {}, 0
  for i = 1, n do list[i] = i end
  local function permute(k)
    if k == 0 then coroutine.yield(list) end
    for i = 1, k do
      list[k], list[i] = list[i], list[k]
      permute(k - 1)
      list[k], list[i] = list[i], list[k]
    end
  end
  for one in coroutine.wrap(function() permute(n) end) do count = (count * 31 + one[1] * one[n]) % 1000003 end
  return count
end

for round = 1, scale do
  local a = matrix(90)
  local c = product(a, a)
  print(c[1][1], c[45][17], c[90][90], sieve(300000 + round), permutations(8))
  print(words(60000))
  print(string.pack("<d", math.sin(round)):byte(1, 8))
end
