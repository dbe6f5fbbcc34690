namespace Wire.Gates.Tests.Architecture;

/// <summary>The strongly connected components of a graph: Tarjan's algorithm.</summary>
internal sealed class Circles
{
    private readonly IReadOnlyDictionary<string, SortedSet<string>> _targets;
    private readonly Dictionary<string, int> _numbers = [];
    private readonly Dictionary<string, int> _lowest = [];
    private readonly HashSet<string> _open = [];
    private readonly Stack<string> _path = [];
    private readonly List<string[]> _found = [];

    private Circles(IReadOnlyDictionary<string, SortedSet<string>> targets) => _targets = targets;

    /// <summary>Finds the circles of more than one node, the largest first.</summary>
    public static IReadOnlyList<string[]> Find(IReadOnlyDictionary<string, SortedSet<string>> targets)
    {
        var circles = new Circles(targets);
        foreach (string node in targets.Keys)
        {
            if (!circles._numbers.ContainsKey(node))
            {
                circles.Visit(node);
            }
        }

        return [.. circles._found.OrderByDescending(circle => circle.Length)];
    }

    private void Visit(string node)
    {
        _numbers[node] = _lowest[node] = _numbers.Count;
        _open.Add(node);
        _path.Push(node);
        foreach (string target in _targets[node])
        {
            if (!_numbers.TryGetValue(target, out int number))
            {
                Visit(target);
                _lowest[node] = Math.Min(_lowest[node], _lowest[target]);
            }
            else if (_open.Contains(target))
            {
                _lowest[node] = Math.Min(_lowest[node], number);
            }
        }

        if (_lowest[node] == _numbers[node])
        {
            var circle = new List<string>();
            string part;
            do
            {
                part = _path.Pop();
                _open.Remove(part);
                circle.Add(part);
            }
            while (part != node);
            if (circle.Count > 1)
            {
                _found.Add([.. circle.Order(StringComparer.Ordinal)]);
            }
        }
    }
}
