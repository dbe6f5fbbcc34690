using System.Buffers.Binary;
using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;
using System.Text;
using Wire.Compilation;
using Wire.Format;
using Wire.Runtime;
using Wire.Types;

namespace Wire.Paths;

/// <summary>Makes the text of a path of an expression, with the names that members have in payloads.</summary>
internal static class PathExpression
{
    /// <summary>Makes the text.</summary>
    /// <param name="registry">The names of members.</param>
    /// <param name="path">The expression.</param>
    /// <exception cref="ArgumentException">It is no path.</exception>
    public static string Describe(TypeRegistry registry, LambdaExpression path)
    {
        var steps = new Stack<Action<StringBuilder>>();
        Expression at = path.Body;
        while (at != path.Parameters[0])
        {
            at = Step(registry, at, steps) ?? throw new ArgumentException(
                $"'{at}' is no step of a path: members, elements by an index, and values by a key are, as in " +
                    "order => order.Lines[2].Price.",
                nameof(path));
        }

        var text = new StringBuilder();
        foreach (Action<StringBuilder> append in steps)
        {
            append(text);
        }

        return text.ToString();
    }

    // Adds the last step, and returns what it starts from; null where it is none.
    private static Expression? Step(TypeRegistry registry, Expression at, Stack<Action<StringBuilder>> steps)
    {
        switch (at)
        {
            case UnaryExpression { NodeType: ExpressionType.Convert or ExpressionType.TypeAs, Method: null } conversion:
                return conversion.Operand;
            case MemberExpression { Expression: { } from, Member.Name: "Value" } when Nullable.GetUnderlyingType(from.Type) is not null:
                return from;
            case MemberExpression { Expression: { } from } member:
                string name = NameOf(registry, from.Type, member.Member);
                steps.Push(text => Append(text, name));
                return from;
            case BinaryExpression { NodeType: ExpressionType.ArrayIndex } element:
                Bracket(element.Right);
                return element.Left;
            case MethodCallExpression { Object: { } from, Method.Name: "get_Item", Arguments: [var argument] } when IsCollection(from.Type):
                Bracket(argument);
                return from;
            default:
                return null;
        }

        void Bracket(Expression argument)
        {
            object key = Value(argument);
            string shown = TextOf(registry, key);
            steps.Push(text => _ = key is string ? Quote(text, shown) : text.Append('[').Append(shown).Append(']'));
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
    private static bool IsCollection(Type type) => typeof(IList).IsAssignableFrom(type) || typeof(IDictionary).IsAssignableFrom(type)
        || type.GetInterfaces().Append(type).Any(each => each.IsGenericType && each.GetGenericTypeDefinition() is var definition
            && (definition == typeof(IList<>) || definition == typeof(IReadOnlyList<>)
                || definition == typeof(IDictionary<,>) || definition == typeof(IReadOnlyDictionary<,>)));

    // As payloads have it.
    private static string TextOf(TypeRegistry registry, object key)
    {
        Type type = key.GetType();
        if (type.IsEnum && registry.Shape(registry.CreateSlot(type)) is { Code: ShapeCode.Enum } shape)
        {
            ulong bits = unchecked((ulong)(long)(Int128)Convert.ToDecimal(key, CultureInfo.InvariantCulture));
            byte[] bytes = BitConverter.GetBytes(BitConverter.IsLittleEndian ? bits : BinaryPrimitives.ReverseEndianness(bits));
            return shape.NameOf(bytes.AsSpan(0, shape.FixedSize)) ?? $"{Convert.ToDecimal(key, CultureInfo.InvariantCulture)}";
        }

        if (type.IsEnum)
        {
            key = Convert.ChangeType(key, Enum.GetUnderlyingType(type), CultureInfo.InvariantCulture);
        }

        foreach ((byte tag, Type own) in TagTypes.All)
        {
            if (own == key.GetType())
            {
                return TagTypes.TextOf(tag, key);
            }
        }

        throw new ArgumentException($"A key of {type} has no text in a path. Keys are strings, numbers, enums and other built-in types.");
    }

    private static void Append(StringBuilder path, string name)
    {
        if (name.Length == 0 || name.AsSpan().ContainsAny('.', '[', '"'))
        {
            Quote(path, name);
        }
        else
        {
            path.Append(path.Length == 0 ? "" : ".").Append(name);
        }
    }

    private static StringBuilder Quote(StringBuilder path, string text) => path.Append("[\"")
        .Append(text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)).Append("\"]");

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    private static string NameOf(TypeRegistry registry, Type type, MemberInfo member) =>
        MemberFinder.Fields(type, registry.Options, registry)
            .Find(field => IsFor(field.Field, member) || IsFor(MemberFinder.FaceOf(field.Field), member))?.Name
            ?? throw new ArgumentException(
                $"{type} has no field that '{member.Name}' stands for, or leaves it out, so that no payload has it.");

    private static bool IsFor(MemberInfo one, MemberInfo other) => one.HasSameMetadataDefinitionAs(other);

    // What the compiler writes for a constant, or for a variable around the expression.
    private static object Value(Expression argument) => argument switch
    {
        ConstantExpression { Value: { } constant } => constant,
        UnaryExpression { NodeType: ExpressionType.Convert, Method: null } conversion => Value(conversion.Operand) is var value
            && conversion.Type.IsPrimitive && value is IConvertible
                ? Convert.ChangeType(value, conversion.Type, CultureInfo.InvariantCulture)
                : value,
        MemberExpression { Expression: ConstantExpression { Value: { } closure }, Member: FieldInfo field }
            when field.GetValue(closure) is { } captured => captured,
        _ => throw new ArgumentException($"'{argument}' is no index or key that is known: use a constant or a variable."),
    };
}
