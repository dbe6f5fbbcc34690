namespace Wire.Tests.Behaviour;

/// <summary>Turns a list of numbers into an object graph over the model, so that shorter lists are smaller graphs.</summary>
internal sealed class GraphBuilder(IReadOnlyList<int> choices, bool cycles)
{
    private const int MaxDepth = 6;

    private readonly List<object> _made = [];
    private int _next;
    private int _budget = 200;

    public static object? Build(IReadOnlyList<int> choices, bool cycles) => new GraphBuilder(choices, cycles).Any(0);

    /// <summary>A graph that depends on the seed alone.</summary>
    public static object? FromSeed(int seed, bool cycles)
    {
        var random = new Random(seed);
        return Build([.. Enumerable.Range(0, 60).Select(_ => random.Next(1 << 20))], cycles);
    }

    private int Pick(int count)
    {
        int choice = _next < choices.Count ? choices[_next] : 0;
        _next++;
        return (int)((uint)choice % (uint)count);
    }

    private object? Any(int depth)
    {
        if (depth > MaxDepth || _next >= choices.Count || _budget-- <= 0)
        {
            return null;
        }

        return Pick(20) switch
        {
            0 => null,
            1 => Pick(1000),
            2 => Text(),
            3 => (Color)(short)Pick(400),
            4 => new Point { X = Pick(9), Y = -Pick(9) },
            5 => Rich(depth + 1),
            6 => Made(new Leaf { Id = Pick(1 << 19), Text = Text() }),
            7 or 8 => Animal(depth),
            9 => Node(depth),
            10 => Things(depth),
            11 => Animals(depth),
            12 => Map(depth),
            13 => Made(new Box<Point> { Value = new Point { X = Pick(5) } }),
            14 => Made(new Box<object?>()) is var box && Fill(box, b => b.Value = Any(depth + 1)) ? box : null,
            15 => Made(new[,] { { Pick(3), Pick(3) }, { 1, 2 } }),
            16 => new object(),
            17 => _made.Count > 0 && (cycles || depth < 0) ? _made[Pick(_made.Count)] : (long)Pick(77),
            18 => (decimal)Pick(1000) / 8,
            _ => Bag(depth),
        };
    }

    private static bool Fill<T>(T target, Action<T> fill)
    {
        fill(target);
        return true;
    }

    private T Made<T>(T value)
        where T : notnull
    {
        _made.Add(value);
        return value;
    }

    private T? Shared<T>()
        where T : class =>
            cycles && _made.OfType<T>().ToList() is { Count: > 0 } fitting && Pick(3) == 0 ? fitting[Pick(fitting.Count)] : null;

    private string? Text() => Pick(5) switch
    {
        0 => null,
        1 => "",
        2 => "plain text",
        3 => "\u4F60\uD83D" + Pick(9),
        _ => new string('x', Pick(100)),
    };

    private Animal? Animal(int depth)
    {
        if (Shared<Animal>() is { } shared)
        {
            return shared;
        }

        if (depth > MaxDepth)
        {
            return null;
        }

        switch (Pick(4))
        {
            case 0:
                return null;
            case 1:
                return Made(new Cat { Lives = Pick(9), Name = Text() });
            case 2:
                Dog dog = Made(new Dog { Weight = Pick(90) / 7.0, Name = Text() });
                dog.Friend = Animal(depth + 1);
                return dog;
            default:
                Puppy puppy = Made(new Puppy { Weight = -0.0 });
                puppy.Mother = Animal(depth + 1) as Dog;
                puppy.Friend = Animal(depth + 1);
                return puppy;
        }
    }

    private Node? Node(int depth)
    {
        if (Shared<Node>() is { } shared)
        {
            return shared;
        }

        if (depth > MaxDepth)
        {
            return null;
        }

        Node node = Made(new Node { Value = Pick(1 << 20) });
        node.Extra = Any(depth + 1);
        node.Next = Pick(2) == 0 ? null : Node(depth + 1);
        return node;
    }

    private object?[] Things(int depth)
    {
        object?[] things = Made(new object?[Pick(5)]);
        for (int i = 0; i < things.Length; i++)
        {
            things[i] = Any(depth + 1);
        }

        return things;
    }

    private List<Animal?> Animals(int depth)
    {
        List<Animal?> animals = Made(new List<Animal?>());
        for (int i = Pick(5); i > 0; i--)
        {
            animals.Add(Animal(depth + 1));
        }

        return animals;
    }

    private Dictionary<string, object?> Map(int depth)
    {
        var map = Made(new Dictionary<string, object?>(Pick(2) == 0 ? null : StringComparer.OrdinalIgnoreCase));
        for (int i = Pick(4); i > 0; i--)
        {
            map[$"key {i}"] = Any(depth + 1);
        }

        return map;
    }

    private Rich Rich(int depth) => new()
    {
        Label = Text(),
        At = new Point { X = Pick(4) },
        Any = Any(depth + 1),
        Maybe = Pick(2) == 0 ? null : Pick(100),
        Inner = depth < MaxDepth && Pick(3) == 0 ? Made<List<Rich>>([Rich(depth + 1)]) : null,
    };

    private Bag Bag(int depth)
    {
        Bag bag = Made(new Bag());
        bag.Animals = Pick(2) == 0 ? null : Animals(depth + 1);
        bag.Map = Pick(2) == 0 ? null : Map(depth + 1);
        bag.Numbers = Pick(2) == 0 ? null : [Pick(4), 9, 10];
        bag.Things = Pick(2) == 0 ? null : Things(depth + 1);
        bag.Points = Pick(2) == 0 ? null : [new Point { X = Pick(4) }, default];
        bag.Nodes = Pick(2) == 0 ? null : [Node(depth + 1), Node(depth + 1)];
        bag.Leaf = Shared<Leaf>() ?? (Pick(2) == 0 ? null : Made(new Leaf { Id = Pick(5) }));
        bag.Color = (Color)(short)Pick(3);
        bag.MaybeColor = Pick(2) == 0 ? null : Color.Blue;
        bag.Bytes = Pick(2) == 0 ? null : new byte[Pick(300)];
        bag.Money = Pick(100) / 4m;
        bag.Riches = Pick(2) == 0 ? null : [Rich(depth + 1), default];
        bag.Rich = Rich(depth + 1);
        return bag;
    }
}
