using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers.Messages;

/// <summary>The members that C# requires, of the messages that a program reads.</summary>
internal static class RequiredMembers
{
    /// <summary>Lists them, from near to far.</summary>
    public static ImmutableArray<WrittenMember> Of(ImmutableArray<MessageRoot> roots, MessageWalk walk)
    {
        if (!roots.Any(root => root.IsReading))
        {
            return [];
        }

        var seen = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        return
        [
            .. walk.Through(roots.Where(root => root.IsRead)).SelectMany(found => WrittenMember.Of(found.Type))
                .Where(member => member.IsRequired && seen.Add(member.Face.OriginalDefinition)),
        ];
    }
}
