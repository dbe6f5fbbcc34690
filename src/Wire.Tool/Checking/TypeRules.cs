using System.Collections.Frozen;
using System.Reflection.Metadata;
using System.Text;
using Wire.Tool.Running;

namespace Wire.Tool.Checking;

/// <summary>Finds the rules that a type filter needs for the names of a payload, one for each type definition.</summary>
internal sealed class TypeRules
{
    private static readonly Serializer ByDefault = new();

    private readonly SortedSet<string> _code = new(StringComparer.Ordinal);
    private readonly SortedSet<string> _others = new(StringComparer.Ordinal);

    /// <summary>Gets the arguments of <see cref="WireTypeFilter.Allow(Type)"/>, in C#.</summary>
    public IReadOnlyCollection<string> Code => _code;

    /// <summary>Gets the names that no line of C# follows from, plain.</summary>
    public IReadOnlyCollection<string> Others => _others;

    /// <summary>Adds the rules for a name.</summary>
    public void Add(string name)
    {
        if (!TypeName.TryParse(name, out TypeName? parsed))
        {
            _others.Add(PlainText.Show(name));
            return;
        }

        // A name has at most 256 parts, but their order may be any.
        var open = new Stack<TypeName>([parsed]);
        while (open.TryPop(out TypeName? type))
        {
            if (type.IsArray)
            {
                open.Push(type.GetElementType());
                continue;
            }

            if (type.IsConstructedGenericType)
            {
                foreach (TypeName argument in type.GetGenericArguments())
                {
                    open.Push(argument);
                }

                type = type.GetGenericTypeDefinition();
            }

            AddDefinition(type);
        }
    }

    private void AddDefinition(TypeName definition)
    {
        // UseFSharp allows the types of F# that it writes, which are those without an assembly.
        if (definition.AssemblyName is null
            && (definition.FullName.StartsWith("Microsoft.FSharp.", StringComparison.Ordinal) || !IsRefused(definition)))
        {
            return;
        }

        bool isNamed = definition.AssemblyName is not null || definition.FullName.StartsWith("System.", StringComparison.Ordinal)
            || definition.FullName.StartsWith("Microsoft.", StringComparison.Ordinal);
        if (isNamed && ToCode(definition.FullName) is { } code)
        {
            _code.Add(code);
        }
        else
        {
            string assembly = definition.AssemblyName is { } name ? $", {name.Name}" : "";
            _others.Add(PlainText.Show(definition.FullName + assembly));
        }
    }

    // A payload that names the type and leaves its schema out: the filter is asked before anything else. The arguments of a generic type
    // are such as are always allowed.
    private static bool IsRefused(TypeName definition)
    {
        string name = definition.FullName;
        int arity = ArityOf(name);
        if (arity > 0)
        {
            name += $"[{string.Join(',', Enumerable.Repeat("[System.Int32]", arity))}]";
        }

        byte[] text = Encoding.UTF8.GetBytes(name);
        using var manifest = new MemoryStream();
        using var writer = new BinaryWriter(manifest);
        writer.Write7BitEncodedInt(text.Length << 1);
        writer.Write(text);
        writer.Write([0, 0, 0, 0, 0]);
        using var payload = new MemoryStream();
        using var outer = new BinaryWriter(payload);
        outer.Write([0x10, 0x02]);
        outer.Write7BitEncodedInt((int)manifest.Length);
        outer.Write(manifest.ToArray());
        try
        {
            ByDefault.Deserialize<object>(payload.ToArray());
            return false;
        }
        catch (TypeRefusedException)
        {
            return true;
        }
        catch (WireFormatException)
        {
            return false;
        }
    }

    private static int ArityOf(string name) => name.Split('+').Sum(part =>
        part.IndexOf('`', StringComparison.Ordinal) is > 0 and int at && int.TryParse(part[(at + 1)..], out int arity)
            ? Math.Clamp(arity, 0, 16)
            : 0);

    // Those that are no names without a mark (C# specification, 6.4.4).
    private static readonly FrozenSet<string> Keywords = FrozenSet.ToFrozenSet(
        ("abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum "
        + "event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace "
        + "new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof "
        + "stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void "
        + "volatile while")
        .Split(' '));

    // Null for a name that is none in C#: those that compilers make, and those that would be other code.
    private static string? ToCode(string fullName)
    {
        var code = new StringBuilder();
        foreach (string part in fullName.Split('.', '+'))
        {
            int tick = part.IndexOf('`', StringComparison.Ordinal);
            string word = tick < 0 ? part : part[..tick];
            int arity = tick < 0 ? 0 : ArityOf(part);
            if (word.Length == 0 || char.IsDigit(word[0]) || !word.All(character => char.IsLetterOrDigit(character) || character == '_'))
            {
                return null;
            }

            code.Append(code.Length == 0 ? "" : ".").Append(Keywords.Contains(word) ? "@" : "");
            code.Append(word).Append(arity == 0 ? "" : $"<{new string(',', arity - 1)}>");
        }

        return code.ToString();
    }
}
