using System.Globalization;

namespace Wire.Generator.Tests.Invented;

/// <summary>A batch of types that depend on a number alone, and a context that has them, as a source that can be compiled.</summary>
internal sealed class InventedTypes
{
    private static readonly string[] Constraints = ["", "", "", "", "struct", "class", "notnull", "unmanaged", "new()"];

    private readonly List<InventedType> _all = [];
    private readonly Queue<string> _names;
    private readonly Random _random;
    private readonly TypeExpressions _expressions;
    private readonly InventedMembers _members;

    /// <summary>Invents types.</summary>
    /// <param name="seed">The number.</param>
    /// <param name="count">How many.</param>
    public InventedTypes(int seed, int count)
    {
        _random = new Random(seed);
        _expressions = new TypeExpressions(_random, _all);
        _members = new InventedMembers(_random, _expressions);
        string[] names = [.. Words.Types];
        _random.Shuffle(names);
        _names = new Queue<string>(names);
        for (int i = 0; i < count; i++)
        {
            _all.Add(Begin(i));
        }

        foreach (InventedType type in _all.Where(each => each.Form == TypeForm.Interface))
        {
            type.Members.Add("int Number { get; }");
        }

        foreach (InventedType type in _all)
        {
            Fill(type, type.Index == count / 2 ? 100 : _random.Next(10));
        }

        Source = new InventedSource(_random, _expressions, seed % 2 == 0 ? "internal" : "public").Print(_all);
    }

    /// <summary>Gets the types.</summary>
    public IReadOnlyList<InventedType> All => _all;

    /// <summary>Gets the source.</summary>
    public string Source { get; }

    // Enums and interfaces first, so that all others can have them.
    private InventedType Begin(int index)
    {
        int kind = _random.Next(20);
        TypeForm form = index < 6 ? TypeForm.Enum
            : index < 8 ? TypeForm.Interface
            : kind < 9 ? TypeForm.Class
            : kind < 12 ? TypeForm.Record
            : kind < 17 ? TypeForm.Struct
            : TypeForm.RecordStruct;
        bool canBeNested = form is not (TypeForm.Enum or TypeForm.Interface);
        InventedType? outer = canBeNested && _random.Next(5) == 0
            ? Pick(_all.Where(each => (each.IsClass || each.IsStruct) && !each.IsPrivate && each.Outer?.Outer is null))
            : null;
        bool isPrivate = form == TypeForm.Class && outer is { IsClass: true, IsGeneric: false } && _random.Next(4) == 0;
        var parameters = new List<(string, string)>();
        if (canBeNested && !isPrivate && _random.Next(7) == 0)
        {
            AddParameters(parameters, outer);
        }

        string name = _random.Next(3) == 0 && parameters.Count == 0 && _names.TryDequeue(out string? word)
            && outer?.Parameters.Any(each => each.Name == word) is not true
            ? word
            : string.Create(CultureInfo.InvariantCulture, $"N{index}");
        bool isSmall = canBeNested && parameters.Count == 0 && outer is null && _random.Next(2) == 0;
        bool isSealed = isSmall || _random.Next(3) == 0;
        InventedType? general = canBeNested && !isSmall && _random.Next(3) == 0
            ? Pick(_all.Where(each => each.Form == form && CanBeBase(each)))
            : null;
        var type = new InventedType(
            index, form, outer?.Space ?? Words.Spaces[_random.Next(Words.Spaces.Length)], outer, name, [.. parameters])
        {
            IsSealed = isSealed,
            IsAbstract = !isSealed && !isPrivate && form is TypeForm.Class or TypeForm.Record && _random.Next(6) == 0,
            IsReadOnly = form is TypeForm.Struct or TypeForm.RecordStruct && _random.Next(3) == 0,
            IsPrivate = isPrivate,
            IsSmall = isSmall,
            Base = general,
        };
        outer?.Nested.Add(type);
        return type;
    }

    private static bool CanBeBase(InventedType type) => type is { IsClass: true, IsSealed: false, IsPrivate: false };

    private void AddParameters(List<(string Name, string Constraint)> parameters, InventedType? outer)
    {
        for (int left = _random.Next(1, 4); left > 0; left--)
        {
            string name = Words.Parameters[_random.Next(Words.Parameters.Length)];
            if (parameters.All(each => each.Name != name) && (outer is null || outer.Parameters.All(each => each.Name != name)))
            {
                parameters.Add((name, Constraints[_random.Next(Constraints.Length)]));
            }
        }
    }

    private T? Pick<T>(IEnumerable<T> from)
    {
        T[] all = [.. from];
        return all.Length == 0 ? default : all[_random.Next(all.Length)];
    }

    private void Fill(InventedType type, int count)
    {
        if (!type.IsClass && !type.IsStruct)
        {
            return;
        }

        // Nobody would see that a member hides what has the name of a type parameter or of a type in it.
        type.Names.UnionWith([type.Name, .. type.Parameters.Select(each => each.Name), .. type.Nested.Select(each => each.Name)]);
        string bases = "";
        if (type.Base is { } general)
        {
            type.Names.UnionWith(general.Names);
            type.Written.UnionWith(general.Written);
            type.Pending.AddRange(general.Pending);
            type.Uncoded = general.Uncoded;
            bases = _expressions.With(general, type, 1);
        }

        if (type.IsAbstract && _random.Next(2) == 0)
        {
            string name = _members.NameFor(type);
            type.Members.Add($"public abstract int {name} {{ get; set; }}");
            type.Pending.Add($"public override int {name}");
        }
        else if (!type.IsAbstract)
        {
            _members.Complete(type);
        }

        var heads = new List<string>();
        string call = type.Base is null || type.Base.Arguments.Length == 0 ? "" : $"({type.Base.Arguments})";
        Construct(type, heads, ref call);
        type.Head = heads.Count == 0 ? "" : $"({string.Join(", ", heads)})";
        string interfaces = _random.Next(5) == 0 && type.Base is null ? Implement(type) : "";
        string[] all = [.. new[] { bases + (heads.Count > 0 ? call : ""), interfaces }.Where(each => each.Length > 0)];
        type.Head += all.Length > 0 ? $" : {string.Join(", ", all)}" : "";
        type.Head += string.Concat(type.OwnParameters.Where(each => each.Constraint.Length > 0).Select(
            each => $" where {each.Name} : {each.Constraint}"));
        foreach (InventedType nested in type.Nested.Where(each => each.IsPrivate))
        {
            string name = _members.NameFor(type);
            type.Members.Add($"private {nested.Name}? {name};");
            type.Written.Add(name);
            type.Uncoded = "private type";
        }

        for (; count > 0; count--)
        {
            _members.Add(type);
        }
    }

    // The parameters behind the name, and otherwise a constructor among the members.
    private void Construct(InventedType type, List<string> heads, ref string call)
    {
        if (type.Form is TypeForm.Record or TypeForm.RecordStruct && _random.Next(3) > 0)
        {
            var arguments = new List<string>();
            for (int left = _random.Next(1, 5); left > 0; left--)
            {
                string parameter = _members.Positional(type);
                heads.Add(parameter);
                arguments.Add($"{parameter[(parameter.LastIndexOf(' ') + 1)..]}: default!");
            }

            type.Arguments = string.Join(", ", arguments);
            call = type.Base is null ? "" : call.Length == 0 ? "()" : call;
            return;
        }

        int way = _random.Next(8);
        if (way < 2 && type.Form is TypeForm.Class or TypeForm.Struct)
        {
            // Kept in a field of its own, or captured.
            heads.Add("int given");
            type.Names.Add("given");
            type.Arguments = "given: 0";
            call = type.Base is null ? "" : call.Length == 0 ? "()" : call;
            if (_random.Next(4) == 0)
            {
                type.Members.Add($"public int Given{type.Index}() => given;");
                type.Written.Add("<given>P");
            }
            else
            {
                string name = _members.NameFor(type);
                type.Members.Add($"private readonly int {name} = given;");
                type.Written.Add(name);
            }
        }
        else if (type.IsClass && (way < 5 || call.Length > 0))
        {
            bool hasParameter = way is 2 or 3;
            string body = way == 4 ? "throw new global::System.InvalidOperationException();" : "";
            string head = $"{type.Name}({(hasParameter ? "int given" : "")}) : base{(call.Length == 0 ? "()" : call)}";
            type.Members.Add($"public {head} {{ {body} }}");
            type.Arguments = hasParameter ? "given: 0" : "";
        }
    }

    private string Implement(InventedType type)
    {
        InventedType[] interfaces = [.. _all.Where(each => each.Form == TypeForm.Interface)];
        InventedType chosen = interfaces[_random.Next(interfaces.Length)];
        string name = $"{chosen.With()}.Number";
        type.Members.Add($"int {name} {{ get; }}");
        type.Written.Add(name);
        return chosen.With();
    }
}
