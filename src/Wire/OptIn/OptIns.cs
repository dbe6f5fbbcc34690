using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using Wire.Runtime;
using Wire.Types;

namespace Wire.OptIn;

/// <summary>
/// A group of types that is refused until an option allows it. All its objects are written as one type, by a stand-in.
/// </summary>
/// <param name="Name">The name of that type in payloads.</param>
/// <param name="Switch">The name of the option.</param>
/// <param name="IsOn">True if the option is set.</param>
/// <param name="Load">Returns the type; its assembly is not loaded earlier.</param>
/// <param name="Create">Makes the value serializer.</param>
internal sealed record OptIn(
    string Name, string Switch, Func<SerializerOptions, bool> IsOn, Func<Type> Load, Func<TypeRegistry, ValueSerializer> Create);

/// <summary>The table of the groups that an option must allow.</summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class OptIns
{
    // All are types of .NET, so most types need not be compared with them.
    private const string Namespace = "System.";

    [RequiresDynamicCode(TrimmingAdvice.Inside)]
    [RequiresUnreferencedCode(TrimmingAdvice.Inside)]
    private static class Rows
    {
        public static readonly OptIn[] Table =
        [
            new(
                "System.Delegate",
                nameof(SerializerOptions.AllowDelegates),
                o => o.AllowDelegates,
                () => typeof(Delegate),
                r => new DelegateSerializer(r)),
            new(
                "System.Reflection.MemberInfo",
                nameof(SerializerOptions.AllowMemberInfos),
                o => o.AllowMemberInfos,
                () => typeof(System.Reflection.MemberInfo),
                r => new MemberSerializer(r)),
            new(
                "System.Reflection.ParameterInfo",
                nameof(SerializerOptions.AllowMemberInfos),
                o => o.AllowMemberInfos,
                () => typeof(System.Reflection.ParameterInfo),
                r => new ParameterSerializer(r)),
            .. RuntimeFeature.IsDynamicCodeSupported ? ForExpressions() : [],
        ];

        private static OptIn[] ForExpressions() =>
        [
            ForExpressions("Expression", () => typeof(Expression), r => new ExpressionSerializer<Expression>(r)),
            ForExpressions("LabelTarget", () => typeof(LabelTarget), r => new ExpressionSerializer<LabelTarget>(r)),
            ForExpressions("SwitchCase", () => typeof(SwitchCase), r => new ExpressionSerializer<SwitchCase>(r)),
            ForExpressions("CatchBlock", () => typeof(CatchBlock), r => new ExpressionSerializer<CatchBlock>(r)),
            ForExpressions("ElementInit", () => typeof(ElementInit), r => new ExpressionSerializer<ElementInit>(r)),
            ForExpressions("MemberBinding", () => typeof(MemberBinding), r => new ExpressionSerializer<MemberBinding>(r)),
            ForExpressions("SymbolDocumentInfo", () => typeof(SymbolDocumentInfo), r => new ExpressionSerializer<SymbolDocumentInfo>(r)),
        ];

        private static OptIn ForExpressions(string name, Func<Type> load, Func<TypeRegistry, ValueSerializer> create) =>
            new("System.Linq.Expressions." + name, nameof(SerializerOptions.AllowExpressions), o => o.AllowExpressions, load, create);
    }

    /// <summary>The group that a type belongs to; null when there is none.</summary>
    public static OptIn? Find(Type type)
    {
        for (Type? current = type; current is not null && current != typeof(object); current = current.BaseType)
        {
            if (current.OwnName() is { } name && Row(name) is { } group && group.Load() == current)
            {
                return group;
            }
        }

        return null;
    }

    /// <summary>Finds the type of a group by its name in payloads, whether it is allowed or not.</summary>
    public static Type? FindByName(string fullName) => Row(fullName)?.Load();

    /// <summary>Returns whether objects are written as exactly this type.</summary>
    public static bool IsNamed(Type type) => Find(type) is { } group && group.Load() == type;

    /// <summary>The type as which objects of a runtime type are written: that of its group, when the group is allowed.</summary>
    public static Type WrittenAs(Type type, SerializerOptions options) =>
        Find(type) is { } group && group.IsOn(options) ? group.Load() : type;

    /// <summary>Makes the value serializer of a type of an allowed group; null for other types.</summary>
    public static ValueSerializer? Create(Type type, TypeRegistry registry)
    {
        if (Find(type) is { } group)
        {
            return group.IsOn(registry.Options) && group.Load() == type ? group.Create(registry) : null;
        }

        return registry.Options.UseSerializable && SerializableTypes.Contains(type)
            ? type.IsValueType && !RuntimeFeature.IsDynamicCodeSupported
            ? throw new UnsupportedTypeException(
                type,
                "native code has nothing that writes a struct as its ISerializable says. Make it a class, or replace it by a surrogate.")
            : (ValueSerializer)ClosedTypes.Create(typeof(SerializableSerializer<>), [type], registry)
            : null;
    }

    private static OptIn? Row(string name) => name.StartsWith(Namespace, StringComparison.Ordinal) ? RowOf(name) : null;

    private static OptIn? RowOf(string name)
    {
        foreach (OptIn row in Rows.Table)
        {
            if (row.Name == name)
            {
                return row;
            }
        }

        return null;
    }
}
